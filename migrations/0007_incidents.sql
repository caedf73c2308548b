CREATE TABLE "incidents" (
	"id" serial PRIMARY KEY NOT NULL,
	"information" text NOT NULL,
	"circumstances" text NOT NULL,
	"happened" text NOT NULL,
	"discovered_on" date NOT NULL,
	"people_count" integer,
	"risk_assessment" text NOT NULL,
	"serious_risk" boolean NOT NULL,
	"commission_told_on" date,
	"people_told_on" date,
	"measures" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
