// What an app writes against the generated types. It is compiled, never run.
import type { components, operations, paths } from "./api";

type Schemas = components["schemas"];
type Event = Schemas["Event"];

// `type` tells events apart, and narrows to what each has.
export function said(event: Event): string {
  switch (event.type) {
    case "tile_played":
      return `seat ${event.seat} laid ${event.tile} on ${event.end}`;
    case "points_scored":
      return `side ${event.side} has ${event.score}`;
    case "hand_dealt":
      return event.holdings.map((tiles) => tiles?.join(" ") ?? "hidden").join(", ");
    case "tiles_drawn":
      return event.tiles === null ? `${event.number} tiles` : event.tiles.join(" ");
    case "game_ended":
      return event.winner === null ? "a draw" : `side ${event.winner} wins`;
    default:
      return event.type;
  }
}

// A legal move is a valid body as it stands.
export function firstMove(table: Schemas["TableView"]): Schemas["MoveRequest"] | undefined {
  return table.you?.legal_moves[0];
}

export function timeLeft(table: Schemas["TableView"]): number | null {
  return table.hand?.deadline_ms ?? null;
}

export function explain(problem: Schemas["Problem"]): string {
  return problem.errors.map((error) => `${error.path}: ${error.detail}`).join("\n") || problem.detail;
}

// Levels and rule sets are open: any string will do.
export const wish: Schemas["NewTable"] = {
  ruleset: "a-rule-set-of-next-year",
  house_rules: { target_points: 100, deal: { "2": 9 } },
  bots: [{ seat: 1, level: "grandmaster" }],
};

// @ts-expect-error  a closed set is closed
export const wrong: Schemas["MoveRequest"] = { action: "fold" };

export type Refused = operations["makeMove"]["responses"][409]["content"]["application/problem+json"];
export type Seats = paths["/v1/tables/{table_id}/seats"]["post"]["responses"][200]["content"]["application/json"];
