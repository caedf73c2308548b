ALTER TABLE "requests" DROP CONSTRAINT "requests_chat_id_chats_id_fk";
