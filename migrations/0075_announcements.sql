CREATE TABLE "network_announcements" (
	"id" serial PRIMARY KEY NOT NULL,
	"subject" text NOT NULL,
	"subject_en" text NOT NULL,
	"text" text NOT NULL,
	"text_en" text NOT NULL,
	"author" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"mails_at" timestamp with time zone NOT NULL,
	"undone_at" timestamp with time zone,
	"mailed_at" timestamp with time zone,
	"counts" jsonb
);
--> statement-breakpoint
CREATE INDEX "network_announcements_mails_at" ON "network_announcements" USING btree ("mails_at");