ALTER TABLE "home_informations" ADD COLUMN "is_published" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "home_informations" ADD COLUMN "opens_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "home_informations" ADD COLUMN "closes_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "home_messages" ADD COLUMN "is_published" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "home_messages" ADD COLUMN "opens_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "home_messages" ADD COLUMN "closes_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "is_published" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "notes" ADD COLUMN "is_published" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "notes" ADD COLUMN "opens_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "notes" ADD COLUMN "closes_at" timestamp with time zone;--> statement-breakpoint
UPDATE "jobs" SET "is_published" = false WHERE btrim("title") = '';--> statement-breakpoint
UPDATE "notes" SET "is_published" = false WHERE btrim("note") = '' AND btrim("note_en") = '';--> statement-breakpoint
UPDATE "home_messages" SET "is_published" = false WHERE btrim(regexp_replace("message" || "message_en", '<[^>]*>|&nbsp;', '', 'g')) = '';--> statement-breakpoint
UPDATE "home_informations" SET "is_published" = false WHERE btrim("title" || "title_en") = '' AND btrim(regexp_replace("description" || "description_en", '<[^>]*>|&nbsp;', '', 'g')) = '';
