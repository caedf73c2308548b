ALTER TABLE "journal_keys" ALTER COLUMN "journal_id" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "journal_keys" ADD COLUMN "at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
UPDATE "journal_keys" SET "at" = "journal"."at" FROM "journal" WHERE "journal"."id" = "journal_keys"."journal_id"::integer;--> statement-breakpoint
ALTER TABLE "journal_keys" ADD COLUMN "words" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "journal_keys_words" ON "journal_keys" USING gin ("words");--> statement-breakpoint
CREATE INDEX "journal_keys_at" ON "journal_keys" USING btree ("at");