CREATE TABLE "long_texts" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"french" jsonb,
	"english" jsonb,
	"english_older" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "long_texts_name_unique" UNIQUE("name")
);
