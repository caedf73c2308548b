CREATE TABLE "network_monitor_events" (
	"id" serial PRIMARY KEY NOT NULL,
	"monitor_id" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"state" text NOT NULL,
	"ms" integer,
	"reason" text,
	"detail" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "network_monitor_figures" (
	"monitor_id" integer NOT NULL,
	"step_s" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"checks" integer NOT NULL,
	"degraded" integer NOT NULL,
	"down" integer NOT NULL,
	"timed" integer NOT NULL,
	"ms_sum" integer NOT NULL,
	"ms_max" integer NOT NULL,
	CONSTRAINT "network_monitor_figures_monitor_id_step_s_at_pk" PRIMARY KEY("monitor_id","step_s","at")
);
--> statement-breakpoint
CREATE TABLE "network_monitor_status" (
	"monitor_id" integer PRIMARY KEY NOT NULL,
	"state" text DEFAULT 'unknown' NOT NULL,
	"since" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"downs" integer DEFAULT 0 NOT NULL,
	"checked_at" timestamp with time zone,
	"next_at" timestamp with time zone NOT NULL,
	"result" text DEFAULT 'unknown' NOT NULL,
	"ms" integer,
	"reason" text,
	"detail" text DEFAULT '' NOT NULL,
	"incident_id" integer,
	"alert" text,
	"signal_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "network_monitors" (
	"id" serial PRIMARY KEY NOT NULL,
	"network_id" integer NOT NULL,
	"element" text NOT NULL,
	"kind" text NOT NULL,
	"target" text NOT NULL,
	"interval_s" integer NOT NULL,
	"timeout_ms" integer NOT NULL,
	"failures_before" integer NOT NULL,
	"expect" jsonb NOT NULL,
	"action" text NOT NULL,
	"enabled" boolean NOT NULL,
	"token_hash" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "network_monitors_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "network_monitor_events" ADD CONSTRAINT "network_monitor_events_monitor_id_network_monitors_id_fk" FOREIGN KEY ("monitor_id") REFERENCES "public"."network_monitors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "network_monitor_figures" ADD CONSTRAINT "network_monitor_figures_monitor_id_network_monitors_id_fk" FOREIGN KEY ("monitor_id") REFERENCES "public"."network_monitors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "network_monitor_status" ADD CONSTRAINT "network_monitor_status_monitor_id_network_monitors_id_fk" FOREIGN KEY ("monitor_id") REFERENCES "public"."network_monitors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "network_monitor_events_monitor" ON "network_monitor_events" USING btree ("monitor_id","at");--> statement-breakpoint
CREATE INDEX "network_monitors_element" ON "network_monitors" USING btree ("network_id","element");--> statement-breakpoint
-- Room for the new version of a row beside the old one: each check updates a row, and the tables must not grow by it.
ALTER TABLE "network_monitor_status" SET (fillfactor = 50);--> statement-breakpoint
ALTER TABLE "network_monitor_figures" SET (fillfactor = 80);
