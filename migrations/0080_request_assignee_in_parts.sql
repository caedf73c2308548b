ALTER TABLE "requests" DROP CONSTRAINT "requests_assigned_to_users_id_fk";
--> statement-breakpoint
-- A user may have thousands of requests that are done: `former-users.ts` clears them in parts after the user is deleted. One that
-- is not done, or is not any more, is nobody's at once.
CREATE FUNCTION require_request_assignee() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM FROM users WHERE id = NEW.assigned_to FOR KEY SHARE;
	IF NOT FOUND THEN
		UPDATE requests SET assigned_to = NULL WHERE id = NEW.id;
	END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER request_assignee_required AFTER INSERT OR UPDATE OF assigned_to, status ON "requests" DEFERRABLE INITIALLY IMMEDIATE
	FOR EACH ROW WHEN (NEW.assigned_to IS NOT NULL AND NEW.status <> 'done') EXECUTE FUNCTION require_request_assignee();
--> statement-breakpoint
CREATE FUNCTION leave_open_requests() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE requests SET assigned_to = NULL WHERE assigned_to = OLD.id AND status <> 'done';
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER user_leaves_open_requests AFTER DELETE ON "users" FOR EACH ROW EXECUTE FUNCTION leave_open_requests();
