ALTER TABLE "chats" DROP CONSTRAINT "chats_user_id_users_id_fk";
--> statement-breakpoint
-- A technician may have thousands of closed conversations: `former-users.ts` clears them in parts after the user is deleted.
-- One that is open must never be held by nobody: a claim waits for the deletion and is refused, as by the foreign key before.
CREATE FUNCTION require_chat_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM FROM users WHERE id = NEW.user_id FOR KEY SHARE;
	IF NOT FOUND THEN
		RAISE foreign_key_violation USING MESSAGE = 'the user of an open conversation does not exist', TABLE = 'chats', COLUMN = 'user_id';
	END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER chat_user_required AFTER INSERT OR UPDATE OF user_id, status ON "chats" DEFERRABLE INITIALLY IMMEDIATE
	FOR EACH ROW WHEN (NEW.user_id IS NOT NULL AND NEW.status <> 'closed') EXECUTE FUNCTION require_chat_user();
--> statement-breakpoint
CREATE FUNCTION leave_open_chats() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE chats SET user_id = NULL WHERE user_id = OLD.id AND status IN ('waiting', 'claimed', 'away');
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER user_leaves_open_chats AFTER DELETE ON "users" FOR EACH ROW EXECUTE FUNCTION leave_open_chats();
