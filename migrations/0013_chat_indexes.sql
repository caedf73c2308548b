CREATE INDEX "chats_created" ON "chats" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "chats_updated" ON "chats" USING btree ("updated_at");