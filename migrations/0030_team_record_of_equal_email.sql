-- So far visitors saw the team record with the user's e-mail where none was chosen: it becomes the chosen one.
UPDATE "users" SET "employee_id" = (
  SELECT "employees"."id" FROM "employees"
  WHERE lower(btrim("employees"."email")) = lower(btrim("users"."email")) AND btrim("users"."email") <> ''
  ORDER BY "employees"."name", "employees"."id" LIMIT 1
) WHERE "employee_id" IS NULL;
