CREATE TABLE "policy_versions" (
	"id" serial PRIMARY KEY NOT NULL,
	"french" jsonb NOT NULL,
	"english" jsonb NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL
);
