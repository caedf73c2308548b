ALTER TABLE "applications" ADD COLUMN "taken_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "removed_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "applications_decided" ON "applications" USING btree ("id") WHERE "applications"."removed_at" is not null or "applications"."taken_at" is not null;