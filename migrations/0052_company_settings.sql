CREATE TABLE "company_settings" (
	"id" integer PRIMARY KEY NOT NULL,
	"version" integer NOT NULL,
	"settings" jsonb,
	"updated_at" timestamp with time zone NOT NULL
);
