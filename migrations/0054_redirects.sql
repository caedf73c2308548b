CREATE TABLE "missing_addresses" (
	"path" text PRIMARY KEY NOT NULL,
	"count" integer DEFAULT 1 NOT NULL,
	"last" timestamp with time zone DEFAULT now() NOT NULL,
	"is_scanner" boolean DEFAULT false NOT NULL,
	"is_ignored" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "redirects" (
	"id" serial PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"from_address" text NOT NULL,
	"to_address" text,
	"status" integer NOT NULL,
	"hits" integer DEFAULT 0 NOT NULL,
	"last_hit" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "redirects_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE INDEX "missing_addresses_last" ON "missing_addresses" USING btree ("last");--> statement-breakpoint
CREATE INDEX "missing_addresses_count" ON "missing_addresses" USING btree ("count");