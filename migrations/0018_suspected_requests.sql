CREATE TABLE "request_trap_counts" (
	"day" date NOT NULL,
	"address_hash" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "request_trap_counts_day_address_hash_pk" PRIMARY KEY("day","address_hash")
);
--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "client_id" text;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "content_hash" text;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "trap" text;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "taken_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "removed_at" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "requests_client" ON "requests" USING btree ("client_id","content_hash");--> statement-breakpoint
CREATE INDEX "requests_decided" ON "requests" USING btree ("id") WHERE "requests"."removed_at" is not null or ("requests"."taken_at" is not null and "requests"."mail_id" is null);