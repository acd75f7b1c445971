// The page does not load this build of Swagger UI; it is left out.
