CREATE TABLE "network_element_changes" (
	"id" serial PRIMARY KEY NOT NULL,
	"network_id" integer NOT NULL,
	"element" text NOT NULL,
	"from_status" text,
	"to_status" text,
	"at" timestamp with time zone NOT NULL,
	"user_id" integer,
	"author" text NOT NULL,
	"incident_id" integer
);
--> statement-breakpoint
CREATE TABLE "network_element_months" (
	"month" text NOT NULL,
	"network_id" integer NOT NULL,
	"element" text NOT NULL,
	"days" jsonb NOT NULL,
	CONSTRAINT "network_element_months_month_network_id_element_pk" PRIMARY KEY("month","network_id","element")
);
--> statement-breakpoint
CREATE TABLE "network_incident_updates" (
	"id" serial PRIMARY KEY NOT NULL,
	"incident_id" integer NOT NULL,
	"phase" text NOT NULL,
	"text" text NOT NULL,
	"text_en" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"mails_at" timestamp with time zone,
	"mailed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "network_incidents" (
	"id" serial PRIMARY KEY NOT NULL,
	"number" text DEFAULT '' NOT NULL,
	"title" text NOT NULL,
	"title_en" text NOT NULL,
	"severity" text NOT NULL,
	"phase" text NOT NULL,
	"draft" boolean NOT NULL,
	"source" text DEFAULT 'staff' NOT NULL,
	"elements" jsonb NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone,
	"next_update_at" timestamp with time zone,
	"meanwhile" text DEFAULT '' NOT NULL,
	"meanwhile_en" text DEFAULT '' NOT NULL,
	"statuses" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"banner" jsonb,
	"undo" jsonb,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "update_windows" ADD COLUMN "elements" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "network_incident_updates" ADD CONSTRAINT "network_incident_updates_incident_id_network_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."network_incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "network_element_changes_element" ON "network_element_changes" USING btree ("network_id","element","at");--> statement-breakpoint
CREATE INDEX "network_element_changes_at" ON "network_element_changes" USING btree ("at");--> statement-breakpoint
CREATE INDEX "network_element_changes_incident" ON "network_element_changes" USING btree ("incident_id");--> statement-breakpoint
CREATE INDEX "network_incident_updates_incident" ON "network_incident_updates" USING btree ("incident_id","at");--> statement-breakpoint
CREATE INDEX "network_incident_updates_due" ON "network_incident_updates" USING btree ("mails_at") WHERE "network_incident_updates"."mails_at" is not null and "network_incident_updates"."mailed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "network_incidents_number" ON "network_incidents" USING btree ("number") WHERE "network_incidents"."number" <> '';--> statement-breakpoint
CREATE INDEX "network_incidents_started_at" ON "network_incidents" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "network_incidents_open" ON "network_incidents" USING btree ("id") WHERE "network_incidents"."resolved_at" is null;--> statement-breakpoint
-- The history begins with the present statuses, which have held since each network was last changed.
INSERT INTO "network_element_changes" ("network_id", "element", "to_status", "at", "author")
SELECT n."id", e."element",
  CASE WHEN n."status" = 'OFFLINE' OR bool_or(e."status" = 'ERROR') THEN 'ERROR' WHEN bool_or(e."status" = 'WARNING') THEN 'WARNING' ELSE 'OK' END,
  n."updated_at", 'migration'
FROM "networks" n
CROSS JOIN LATERAL (
  SELECT coalesce(nullif(trim(d->>'nom'), ''), trim(d->>'nom_en')) AS "element", d->>'statut' AS "status" FROM jsonb_array_elements(n."details") d
    WHERE trim(d->>'nom') <> '' OR trim(d->>'nom_en') <> ''
  UNION ALL SELECT '', 'OK' WHERE n."status" <> ''
) e
GROUP BY n."id", e."element", n."status", n."updated_at";
