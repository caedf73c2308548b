CREATE TABLE "network_mailing_recipients" (
	"mailing" text NOT NULL,
	"subscriber_id" integer NOT NULL,
	"mail_id" integer,
	"bounced_at" timestamp with time zone,
	CONSTRAINT "network_mailing_recipients_mailing_subscriber_id_pk" PRIMARY KEY("mailing","subscriber_id")
);
--> statement-breakpoint
CREATE TABLE "network_mailings" (
	"key" text PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "network_subscribers" (
	"id" serial PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"language" text NOT NULL,
	"networks" integer[],
	"topics" text[] NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"consent_text" text NOT NULL,
	"consent_at" timestamp with time zone NOT NULL,
	"consent_address" text NOT NULL,
	"confirmed_at" timestamp with time zone,
	"left_at" timestamp with time zone,
	"link_sent_at" timestamp with time zone NOT NULL,
	"link_generation" integer DEFAULT 1 NOT NULL,
	"link_hash" text,
	"bounces" integer DEFAULT 0 NOT NULL,
	"bounce_reason" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "network_mailing_recipients" ADD CONSTRAINT "network_mailing_recipients_mailing_network_mailings_key_fk" FOREIGN KEY ("mailing") REFERENCES "public"."network_mailings"("key") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "network_mailing_recipients" ADD CONSTRAINT "network_mailing_recipients_subscriber_id_network_subscribers_id_fk" FOREIGN KEY ("subscriber_id") REFERENCES "public"."network_subscribers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "network_mailing_recipients_mail" ON "network_mailing_recipients" USING btree ("mail_id");--> statement-breakpoint
CREATE INDEX "network_mailing_recipients_subscriber" ON "network_mailing_recipients" USING btree ("subscriber_id");--> statement-breakpoint
CREATE UNIQUE INDEX "network_subscribers_email" ON "network_subscribers" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "network_subscribers_link_hash" ON "network_subscribers" USING btree ("link_hash");--> statement-breakpoint
CREATE INDEX "network_subscribers_state" ON "network_subscribers" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "network_subscribers_created_at" ON "network_subscribers" USING btree ("created_at");