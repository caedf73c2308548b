CREATE TABLE "chat_file_pieces" (
	"file_id" integer NOT NULL,
	"position" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "chat_file_pieces_file_id_position_pk" PRIMARY KEY("file_id","position")
);
--> statement-breakpoint
ALTER TABLE "chat_file_pieces" ADD CONSTRAINT "chat_file_pieces_file_id_chat_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."chat_files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
INSERT INTO "chat_file_pieces" ("file_id", "position", "bytes")
SELECT "id", "position", substring("bytes" from "position" * 524288 + 1 for 524288)
FROM "chat_files", generate_series(0, (length("bytes") - 1) / 524288) AS "position"
WHERE length("bytes") > 0;--> statement-breakpoint
ALTER TABLE "chat_files" DROP COLUMN "bytes";