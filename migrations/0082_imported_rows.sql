CREATE TABLE "imported_rows" (
	"import_id" integer NOT NULL,
	"table_name" text NOT NULL,
	"row_key" text NOT NULL,
	"mark" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "imported_rows_import_id_table_name_row_key_pk" PRIMARY KEY("import_id","table_name","row_key")
);
