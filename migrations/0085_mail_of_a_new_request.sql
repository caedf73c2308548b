-- A request names its mail from the start, and the mail is stored after it.
ALTER TABLE "requests" ALTER CONSTRAINT "requests_mail_id_mails_id_fk" DEFERRABLE INITIALLY DEFERRED;
