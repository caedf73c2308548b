DROP INDEX "journal_entry";--> statement-breakpoint
CREATE INDEX "journal_entries" ON "journal" USING btree ("area","entry_id","id");