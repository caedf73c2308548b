CREATE TABLE "chat_messages" (
	"id" serial PRIMARY KEY NOT NULL,
	"chat_id" integer NOT NULL,
	"seq" integer NOT NULL,
	"internal" boolean DEFAULT false NOT NULL,
	"message" text NOT NULL,
	"from_staff" boolean NOT NULL,
	"user_id" integer,
	"user_name" text NOT NULL,
	"image_url" text,
	"color" text,
	"client_message_id" text,
	"sent_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_messages_client_id" UNIQUE("chat_id","client_message_id")
);
--> statement-breakpoint
CREATE TABLE "chats" (
	"id" serial PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"client_name" text NOT NULL,
	"client_email" text NOT NULL,
	"client_business" text DEFAULT '' NOT NULL,
	"language" text DEFAULT 'fr' NOT NULL,
	"page" text DEFAULT '' NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"user_id" integer,
	"last_seq" integer DEFAULT 0 NOT NULL,
	"staff_read_seq" integer DEFAULT 0 NOT NULL,
	"visitor_read_seq" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"claimed_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	CONSTRAINT "chats_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "technicians" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"available" boolean NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "technicians" ADD CONSTRAINT "technicians_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "chat_messages_seq" ON "chat_messages" USING btree ("chat_id","seq") WHERE not "chat_messages"."internal";--> statement-breakpoint
CREATE INDEX "chat_messages_order" ON "chat_messages" USING btree ("chat_id","seq","id");--> statement-breakpoint
CREATE INDEX "chats_status" ON "chats" USING btree ("status");--> statement-breakpoint
CREATE INDEX "chats_email" ON "chats" USING btree ("client_email");