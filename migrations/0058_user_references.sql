-- Deleting a user cleared each of their messages in one statement; `former-users.ts` clears them in parts afterwards.
ALTER TABLE "chat_events" DROP CONSTRAINT IF EXISTS "chat_events_user_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "chat_figures" DROP CONSTRAINT IF EXISTS "chat_figures_user_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "chat_messages" DROP CONSTRAINT IF EXISTS "chat_messages_user_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "request_entries" DROP CONSTRAINT IF EXISTS "request_entries_user_id_users_id_fk";
--> statement-breakpoint
-- The text for searches is made again only where a text changed, not for each message that loses its author.
CREATE OR REPLACE FUNCTION follow_changed_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT loads_backup() THEN
		PERFORM refresh_chat_text(found.chat_id) FROM (
			SELECT changed.chat_id FROM changed JOIN former USING (id)
			WHERE (changed.chat_id, changed.message) IS DISTINCT FROM (former.chat_id, former.message)
			UNION SELECT former.chat_id FROM changed JOIN former USING (id) WHERE changed.chat_id <> former.chat_id
		) found WHERE EXISTS (SELECT FROM chat_texts WHERE chat_texts.chat_id = found.chat_id);
	END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
DROP TRIGGER IF EXISTS chat_text_changed ON "chat_messages";
--> statement-breakpoint
CREATE TRIGGER chat_text_changed AFTER UPDATE ON "chat_messages" REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_changed_messages();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION follow_changed_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT loads_backup() THEN
		PERFORM refresh_request_text(request_id) FROM (
			SELECT changed.request_id FROM changed JOIN former USING (id)
			WHERE (changed.request_id, changed.text) IS DISTINCT FROM (former.request_id, former.text)
			UNION SELECT former.request_id FROM changed JOIN former USING (id) WHERE changed.request_id <> former.request_id
		) found;
	END IF;
	RETURN NULL;
END
$$;
