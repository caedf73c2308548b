DROP INDEX "chats_email";--> statement-breakpoint
CREATE INDEX "chat_blocks_user" ON "chat_blocks" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "chat_messages_user" ON "chat_messages" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "chats_user" ON "chats" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "notes_created" ON "notes" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "notes_updated" ON "notes" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "password_links_user" ON "password_links" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "recovery_codes_user" ON "recovery_codes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "users_group" ON "users" USING btree ("group_id");--> statement-breakpoint
CREATE INDEX "request_blocks_request" ON "request_blocks" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "request_entries_user" ON "request_entries" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "requests_assigned" ON "requests" USING btree ("assigned_to");--> statement-breakpoint
CREATE INDEX "requests_mail" ON "requests" USING btree ("mail_id");--> statement-breakpoint
CREATE INDEX "mails_created" ON "mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "mails_recipient" ON "mails" USING btree (lower("recipient"));--> statement-breakpoint
CREATE INDEX "mails_reply_to" ON "mails" USING btree (lower("reply_to"));--> statement-breakpoint
CREATE INDEX "chats_email" ON "chats" USING btree (lower("client_email"));