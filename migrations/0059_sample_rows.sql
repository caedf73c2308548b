CREATE TABLE IF NOT EXISTS "sample_rows" (
	"place" text NOT NULL,
	"row_id" integer NOT NULL,
	"version" integer NOT NULL,
	CONSTRAINT "sample_rows_place_row_id_pk" PRIMARY KEY("place","row_id")
);
--> statement-breakpoint
-- What an earlier version put as sample content, all at once and before its first user, and nobody has changed since.
INSERT INTO "sample_rows"
SELECT place, id, version FROM (
	SELECT 'employees' AS place, id, version, updated_at FROM "employees"
	UNION ALL
	SELECT 'jobs' AS place, id, version, updated_at FROM "jobs"
	UNION ALL
	SELECT 'networks' AS place, id, version, updated_at FROM "networks"
	UNION ALL
	SELECT 'notes' AS place, id, version, updated_at FROM "notes"
	UNION ALL
	SELECT 'articles' AS place, id, version, updated_at FROM "articles"
	UNION ALL
	SELECT 'home_informations' AS place, id, version, updated_at FROM "home_informations"
) AS entries,
(SELECT min("at") AS started FROM "network_element_changes" WHERE "author" = 'sample' AND "user_id" IS NULL) AS sample
WHERE version = 1 AND updated_at BETWEEN started - interval '1 minute' AND started + interval '1 minute'
	AND updated_at < (SELECT min("created_at") FROM "users")
ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO "sample_rows"
SELECT 'recordings', r."id", 1 FROM "journal" AS j JOIN "recordings" AS r ON r."id" = j."entry_id"::integer
WHERE j."area" = 'recordings' AND j."action" = 'import' AND j."user_name" = 'DEMO' AND j."user_id" IS NULL AND j."entry_id" ~ '^[0-9]{1,9}$'
ON CONFLICT DO NOTHING;
