CREATE TABLE "visit_counts" (
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"views" integer DEFAULT 0 NOT NULL,
	"visits" integer DEFAULT 0 NOT NULL,
	"forms" integer DEFAULT 0 NOT NULL,
	"forms_begun" integer DEFAULT 0 NOT NULL,
	"chats" integer DEFAULT 0 NOT NULL,
	"chats_begun" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "visit_counts_day_kind_key_pk" PRIMARY KEY("day","kind","key")
);
--> statement-breakpoint
ALTER TABLE "chats" ADD COLUMN "source" jsonb;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "source" jsonb;--> statement-breakpoint
CREATE INDEX "visit_counts_kind" ON "visit_counts" USING btree ("kind","day");