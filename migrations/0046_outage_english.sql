ALTER TABLE "network_incidents" ADD COLUMN "english_older" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "network_incidents" ADD COLUMN "client_id" text;--> statement-breakpoint
ALTER TABLE "network_incidents" ADD CONSTRAINT "network_incidents_client_id_unique" UNIQUE("client_id");