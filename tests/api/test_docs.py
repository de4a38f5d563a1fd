"""/docs and /openapi.json: everything the page needs comes from here."""

from __future__ import annotations

import re

import pytest

from app.api import openapi_document
from tests.api.cast import Caller, House, refused


@pytest.mark.parametrize("path", ["/docs", "/docs/problems"])
def test_a_page_loads_nothing_from_elsewhere_and_runs_nothing_inline(house: House, path: str) -> None:
    answer = house.client.get(path)
    assert answer.content_type == "text/html; charset=utf-8"
    sources = re.findall(r'(?:src|href)="([^"]+)"', answer.text)
    assert sources
    for source in sources:
        assert source.startswith("/"), source
        assert house.client.get(source).status_code == 200, source
    assert not re.search(r"<script>|<style|\son\w+=|style=", answer.text)
    policy = answer.headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_the_bare_address_leads_to_the_page(house: House) -> None:
    answer = house.client.get("/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/docs")
    page = house.client.get("/docs")
    assert answer.headers["Cache-Control"] == page.headers["Cache-Control"]
    assert answer.headers["Vary"] == page.headers["Vary"]


def test_only_what_is_listed_is_an_asset(house: House) -> None:
    refused(house.client.get("/docs/assets/README.md"), 404, "not_found")


def test_the_table_of_problems_fits_a_narrow_screen(house: House) -> None:
    page = house.client.get("/docs/problems").text
    assert '<div class="wide"><table>' in page, "what does not fit scrolls by itself"
    assert "<code>idempotency_<wbr>key_<wbr>reused</code>" in page, "long codes break between words"
    assert "overflow-x: auto" in house.client.get("/docs/assets/docs.css").text.split(".problems .wide")[1]


def test_assets_are_not_sent_twice(house: House) -> None:
    first = house.client.get("/docs/assets/swagger-ui.css")
    again = house.client.get("/docs/assets/swagger-ui.css", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize(("query", "events"), [("", "typed"), ("?events=typed", "typed"), ("?events=flat", "flat")])
def test_the_document_is_served_as_written(spectator: Caller, query: str, events: str) -> None:
    assert spectator.get(f"/openapi.json{query}").get_json() == openapi_document(events)


def test_the_guide_names_only_paths_that_exist(spectator: Caller) -> None:
    document = openapi_document()
    named = set(re.findall(r"`(GET|POST|PUT|DELETE) (/v1/[^`?]*)[^`]*`", document["info"]["description"]))
    assert len(named) > 5
    for method, path in named:
        assert method.lower() in document["paths"][path], (method, path)
