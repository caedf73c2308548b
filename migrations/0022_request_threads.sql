CREATE SEQUENCE "public"."request_numbers_mail" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "inbox_mails" (
	"id" serial PRIMARY KEY NOT NULL,
	"uid_validity" bigint NOT NULL,
	"uid" bigint NOT NULL,
	"digest" text,
	"state" text NOT NULL,
	"reason" text,
	"message_id" text,
	"from_address" text DEFAULT '' NOT NULL,
	"from_name" text DEFAULT '' NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"size" integer NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"taken_at" timestamp with time zone DEFAULT now() NOT NULL,
	"entry_id" integer,
	"is_filed" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "inbox_pieces" (
	"mail_id" integer NOT NULL,
	"position" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "inbox_pieces_mail_id_position_pk" PRIMARY KEY("mail_id","position")
);
--> statement-breakpoint
CREATE TABLE "inbox_state" (
	"id" integer PRIMARY KEY NOT NULL,
	"holder" text,
	"held_until" timestamp with time zone,
	"last_pass_at" timestamp with time zone,
	"last_error" text,
	"last_notice_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "request_blocks" (
	"email" text PRIMARY KEY NOT NULL,
	"request_id" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "request_entries" (
	"id" serial PRIMARY KEY NOT NULL,
	"request_id" integer NOT NULL,
	"kind" text NOT NULL,
	"channel" text NOT NULL,
	"user_id" integer,
	"author" text NOT NULL,
	"author_email" text DEFAULT '' NOT NULL,
	"text" text NOT NULL,
	"quoted" text DEFAULT '' NOT NULL,
	"html" text,
	"event" jsonb,
	"client_id" text,
	"message_id" text,
	"merged_from_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "request_entry_mails" (
	"mail_id" integer PRIMARY KEY NOT NULL,
	"entry_id" integer NOT NULL,
	"purpose" text NOT NULL,
	"bounced_at" timestamp with time zone,
	"bounce_reason" text
);
--> statement-breakpoint
CREATE TABLE "request_file_pieces" (
	"file_id" integer NOT NULL,
	"position" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "request_file_pieces_file_id_position_pk" PRIMARY KEY("file_id","position")
);
--> statement-breakpoint
CREATE TABLE "request_files" (
	"id" serial PRIMARY KEY NOT NULL,
	"entry_id" integer NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"size" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "request_links" (
	"request_id" integer NOT NULL,
	"other_id" integer NOT NULL,
	CONSTRAINT "request_links_request_id_other_id_pk" PRIMARY KEY("request_id","other_id")
);
--> statement-breakpoint
CREATE TABLE "request_presence" (
	"request_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"writing_at" timestamp with time zone,
	CONSTRAINT "request_presence_request_id_user_id_pk" PRIMARY KEY("request_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "request_settings" (
	"id" integer PRIMARY KEY NOT NULL,
	"version" integer NOT NULL,
	"settings" jsonb NOT NULL
);
--> statement-breakpoint
INSERT INTO "request_entries" ("request_id", "kind", "channel", "author", "author_email", "text", "created_at")
SELECT "id", 'customer', CASE "kind" WHEN 'chat' THEN 'chat' ELSE 'form' END, "name", "email", "message", "created_at"
FROM "requests" ORDER BY "id";--> statement-breakpoint
INSERT INTO "request_entries" ("request_id", "kind", "channel", "user_id", "author", "text", "created_at")
SELECT "request_id", 'internal', 'page', "user_id", "user_name", "body", "created_at" FROM "request_comments" ORDER BY "id";--> statement-breakpoint
DROP TABLE "request_comments";--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "priority" text DEFAULT 'normal' NOT NULL;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "respond_by" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "resolve_by" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "first_reply_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "waiting_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "late_notice_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "link_generation" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "link_hash" text;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "link_made_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "merged_into_id" integer;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "spam_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "headers" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "files" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "inbox_mails" ADD CONSTRAINT "inbox_mails_entry_id_request_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."request_entries"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_pieces" ADD CONSTRAINT "inbox_pieces_mail_id_inbox_mails_id_fk" FOREIGN KEY ("mail_id") REFERENCES "public"."inbox_mails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_blocks" ADD CONSTRAINT "request_blocks_request_id_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_entries" ADD CONSTRAINT "request_entries_request_id_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_entries" ADD CONSTRAINT "request_entries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_entries" ADD CONSTRAINT "request_entries_merged_from_id_requests_id_fk" FOREIGN KEY ("merged_from_id") REFERENCES "public"."requests"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_entry_mails" ADD CONSTRAINT "request_entry_mails_mail_id_mails_id_fk" FOREIGN KEY ("mail_id") REFERENCES "public"."mails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_entry_mails" ADD CONSTRAINT "request_entry_mails_entry_id_request_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."request_entries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_file_pieces" ADD CONSTRAINT "request_file_pieces_file_id_request_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."request_files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_files" ADD CONSTRAINT "request_files_entry_id_request_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."request_entries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_links" ADD CONSTRAINT "request_links_request_id_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_links" ADD CONSTRAINT "request_links_other_id_requests_id_fk" FOREIGN KEY ("other_id") REFERENCES "public"."requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_presence" ADD CONSTRAINT "request_presence_request_id_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_presence" ADD CONSTRAINT "request_presence_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "inbox_mails_uid" ON "inbox_mails" USING btree ("uid_validity","uid");--> statement-breakpoint
CREATE UNIQUE INDEX "inbox_mails_digest" ON "inbox_mails" USING btree ("digest");--> statement-breakpoint
CREATE INDEX "inbox_mails_entry" ON "inbox_mails" USING btree ("entry_id");--> statement-breakpoint
CREATE INDEX "inbox_mails_from" ON "inbox_mails" USING btree ("from_address","received_at");--> statement-breakpoint
CREATE INDEX "inbox_mails_state" ON "inbox_mails" USING btree ("state");--> statement-breakpoint
CREATE INDEX "request_entries_request" ON "request_entries" USING btree ("request_id","created_at","id");--> statement-breakpoint
CREATE INDEX "request_entries_merged" ON "request_entries" USING btree ("merged_from_id");--> statement-breakpoint
CREATE INDEX "request_entries_message" ON "request_entries" USING btree ("message_id");--> statement-breakpoint
CREATE UNIQUE INDEX "request_entries_client" ON "request_entries" USING btree ("request_id","client_id");--> statement-breakpoint
CREATE INDEX "request_entry_mails_entry" ON "request_entry_mails" USING btree ("entry_id");--> statement-breakpoint
CREATE INDEX "request_files_entry" ON "request_files" USING btree ("entry_id");--> statement-breakpoint
CREATE INDEX "request_links_other" ON "request_links" USING btree ("other_id");--> statement-breakpoint
CREATE INDEX "request_presence_user" ON "request_presence" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_merged_into_id_requests_id_fk" FOREIGN KEY ("merged_into_id") REFERENCES "public"."requests"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "requests_email" ON "requests" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "requests_merged" ON "requests" USING btree ("merged_into_id");--> statement-breakpoint
CREATE UNIQUE INDEX "requests_link" ON "requests" USING btree ("link_hash");