CREATE TABLE "privacy_demands" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"received_on" date NOT NULL,
	"answered_on" date,
	"outcome" text DEFAULT '' NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "happened_on" date;