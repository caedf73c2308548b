CREATE INDEX "journal_area" ON "journal" USING btree ("area","id");--> statement-breakpoint
CREATE INDEX "journal_action" ON "journal" USING btree ("action","id");--> statement-breakpoint
CREATE INDEX "journal_user" ON "journal" USING btree ("user_name","id");