CREATE TABLE "former_journal_entries" (
	"journal_id" integer NOT NULL,
	"id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"user_id" integer,
	"user_name" text NOT NULL,
	"address" text NOT NULL,
	"area" text NOT NULL,
	"action" text NOT NULL,
	"entry_id" text,
	"before" jsonb,
	"after" jsonb,
	"hash" text NOT NULL,
	CONSTRAINT "former_journal_entries_journal_id_id_pk" PRIMARY KEY("journal_id","id")
);
--> statement-breakpoint
CREATE TABLE "former_journals" (
	"id" serial PRIMARY KEY NOT NULL,
	"lines" integer NOT NULL,
	"last_hash" text NOT NULL,
	"digest" text NOT NULL,
	"seals" jsonb NOT NULL,
	"imported_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seal" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "imported" jsonb;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "is_imported" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE TRIGGER former_journals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "former_journals" FOR EACH STATEMENT EXECUTE FUNCTION refuse_journal_change();
--> statement-breakpoint
CREATE TRIGGER former_journal_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "former_journal_entries" FOR EACH STATEMENT EXECUTE FUNCTION refuse_journal_change();
--> statement-breakpoint
-- What was set here since counts, also for an export.
CREATE FUNCTION forget_imported() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.locked IS DISTINCT FROM OLD.locked THEN
		NEW.imported := NEW.imported - 'locked';
	END IF;
	IF NEW.totp_enabled IS DISTINCT FROM OLD.totp_enabled OR NEW.totp_chances IS DISTINCT FROM OLD.totp_chances THEN
		NEW.imported := NEW.imported - 'totp_enabled' - 'totp_chances';
	END IF;
	IF NEW.password_hash IS DISTINCT FROM OLD.password_hash THEN
		NEW.imported := NEW.imported - 'password_set_by_admin';
	END IF;
	RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER forget_imported BEFORE UPDATE ON "users" FOR EACH ROW WHEN (OLD.imported IS NOT NULL) EXECUTE FUNCTION forget_imported();
