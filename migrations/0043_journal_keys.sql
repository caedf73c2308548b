CREATE TABLE "journal_keys" (
	"journal_id" integer PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"addresses" text[] NOT NULL
);
--> statement-breakpoint
CREATE INDEX "journal_keys_addresses" ON "journal_keys" USING gin ("addresses");