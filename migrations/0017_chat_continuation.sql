CREATE TABLE "chat_transcripts" (
	"id" serial PRIMARY KEY NOT NULL,
	"chat_id" integer NOT NULL,
	"mailed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "chats" ADD COLUMN "continues_id" integer;--> statement-breakpoint
ALTER TABLE "chat_transcripts" ADD CONSTRAINT "chat_transcripts_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_transcripts_chat" ON "chat_transcripts" USING btree ("chat_id");--> statement-breakpoint
CREATE INDEX "chat_transcripts_mailed" ON "chat_transcripts" USING btree ("mailed_at");--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_continues_id_chats_id_fk" FOREIGN KEY ("continues_id") REFERENCES "public"."chats"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_continues" UNIQUE("continues_id");