ALTER TABLE "request_links" ADD COLUMN "continues" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
-- A link between two requests has the older one first, but where the younger one went on with what had ended.
UPDATE "request_links" SET "continues" = true WHERE "request_id" > "other_id";
