CREATE TABLE "chat_blocks" (
	"id" serial PRIMARY KEY NOT NULL,
	"email" text,
	"address" text,
	"reason" text NOT NULL,
	"until" timestamp with time zone,
	"user_id" integer,
	"user_name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "canned_replies" (
	"id" serial PRIMARY KEY NOT NULL,
	"shortcut" text NOT NULL,
	"reply" text NOT NULL,
	"reply_en" text DEFAULT '' NOT NULL,
	"english_older" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "chats" ADD COLUMN "client_address" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "chats" ADD COLUMN "escalated_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "chat_id" integer;--> statement-breakpoint
ALTER TABLE "chat_blocks" ADD CONSTRAINT "chat_blocks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_blocks_email" ON "chat_blocks" USING btree ("email");--> statement-breakpoint
CREATE INDEX "chat_blocks_address" ON "chat_blocks" USING btree ("address");--> statement-breakpoint
CREATE UNIQUE INDEX "canned_replies_shortcut" ON "canned_replies" USING btree (lower("shortcut"));--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "requests_chat" ON "requests" USING btree ("chat_id");