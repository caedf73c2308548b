ALTER TABLE "requests" ADD COLUMN "incident_id" integer;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_incident_id_network_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."network_incidents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "requests_incident" ON "requests" USING btree ("incident_id");