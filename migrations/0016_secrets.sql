CREATE TABLE "journal_seals" (
	"id" serial PRIMARY KEY NOT NULL,
	"from_id" integer NOT NULL,
	"key_id" text NOT NULL,
	"lines" integer NOT NULL,
	"last_hash" text NOT NULL,
	"digest" text NOT NULL,
	"seal" text NOT NULL,
	"made_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "secret" text;--> statement-breakpoint
CREATE TRIGGER journal_seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "journal_seals" FOR EACH STATEMENT EXECUTE FUNCTION refuse_journal_change();
