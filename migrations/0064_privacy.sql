-- Searching, exporting and erasing took the highest right on the audit log before: who had it keeps them.
UPDATE "groups" SET "rights" = "rights" || '{"privacy": "administrator"}'::jsonb WHERE "rights"->>'audit' = 'administrator';--> statement-breakpoint
CREATE TABLE "erasures" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"hash" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "retention_periods" (
	"kind" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"unit" text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "erasures_hash" ON "erasures" USING btree ("hash","kind","at");--> statement-breakpoint
-- What administrators chose elsewhere stays; whole half years are months again, as they were before the settings took days.
INSERT INTO "retention_periods" ("kind", "count", "unit")
SELECT "kind", CASE WHEN "days" IN (183, 365, 548, 730, 1095, 1825) THEN round("days" * 12 / 365.0) ELSE "days" END, CASE WHEN "days" IN (183, 365, 548, 730, 1095, 1825) THEN 'months' ELSE 'days' END
FROM (
	SELECT 'chats' AS "kind", ("settings"->>'retention_days')::int AS "days" FROM "chat_settings"
	UNION ALL SELECT 'recordings', "retention_days" FROM "recording_settings"
) AS "chosen" WHERE "days" IS NOT NULL;
--> statement-breakpoint
UPDATE "chat_settings" SET "settings" = "settings" - 'retention_days';--> statement-breakpoint
ALTER TABLE "recording_settings" DROP COLUMN "retention_days";--> statement-breakpoint
UPDATE "long_texts" SET
	"french" = regexp_replace("french"::text, '\{(chat|request|recording|application)Months\}[ \u00a0]mois', '{\1Period}', 'g')::jsonb,
	"english" = regexp_replace("english"::text, '\{(chat|request|recording|application)Months\}[ \u00a0]months', '{\1Period}', 'g')::jsonb
WHERE "name" = 'privacy';
