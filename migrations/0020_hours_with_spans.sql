UPDATE "chat_settings" SET "settings" = "settings" || jsonb_build_object(
  'week', (
    SELECT coalesce(jsonb_agg(
      CASE WHEN "day" ? 'spans' THEN "day" ELSE jsonb_build_object(
        'day', "day" -> 'day',
        'spans', jsonb_build_array(jsonb_build_object('opens', "day" -> 'opens', 'closes', "day" -> 'closes'))
      ) END ORDER BY ("day" ->> 'day')::int), '[]'::jsonb)
    FROM jsonb_array_elements("settings" -> 'week') AS "days"("day")
  ),
  'holidays', (
    SELECT coalesce(jsonb_agg('{"spans": []}'::jsonb || "holiday" ORDER BY "holiday" ->> 'date'), '[]'::jsonb)
    FROM jsonb_array_elements("settings" -> 'holidays') AS "dates"("holiday")
  )
);
