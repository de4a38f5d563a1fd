// The try-it page: requests go to this server; the token stays in this tab.
"use strict";

window.ui = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#operations",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  defaultModelRendering: "model",
  displayRequestDuration: true,
  docExpansion: "list",
  filter: false,
  persistAuthorization: false,
  requestSnippetsEnabled: true,
  tryItOutEnabled: false,
  validatorUrl: null,
});
