-- Tags, technologies and sizes of components; technologies and drawn lines of relationships.

ALTER TABLE component ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';          -- JSON list of strings
ALTER TABLE component ADD COLUMN technology TEXT NOT NULL DEFAULT '[]';    -- JSON list of strings
ALTER TABLE component ADD COLUMN width REAL;                               -- NULL: by content
ALTER TABLE component ADD COLUMN height REAL;
ALTER TABLE relationship ADD COLUMN technology TEXT NOT NULL DEFAULT '[]'; -- JSON list of strings
ALTER TABLE relationship ADD COLUMN line TEXT;                             -- JSON; NULL: routed

-- Copies the properties `tags` and `technology` that are lists of strings within the limits of the new columns. Properties
-- do not change. The change log does not change either: rows of older schemas are read by the same rule, which is
-- `Keywords::from_property` in src/domain/values/keywords.rs. A test compares both.

CREATE TEMP TABLE keyword_list AS
WITH found (kind, row, field, list) AS (
    SELECT 'component', rowid, 'tags', json_extract(properties, '$.tags')
    FROM component WHERE json_type(properties, '$.tags') = 'array'
    UNION ALL
    SELECT 'component', rowid, 'technology', json_extract(properties, '$.technology')
    FROM component WHERE json_type(properties, '$.technology') = 'array'
    UNION ALL
    SELECT 'relationship', rowid, 'technology', json_extract(properties, '$.technology')
    FROM relationship WHERE json_type(properties, '$.technology') = 'array'
),
keyword (kind, row, field, position, is_text, text) AS (
    SELECT kind, row, field, item.key, item.type = 'text',
           -- White space as defined by Unicode, which Rust trims too.
           trim(item.value, char(9, 10, 11, 12, 13, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199,
                                 8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288))
    FROM found, json_each(found.list) item
    WHERE json_array_length(found.list) <= 32
),
-- The first of equal keywords.
distinct_keyword (kind, row, field, position, text, is_valid) AS (
    SELECT kind, row, field, min(position), text,
           min(is_text AND length(text) BETWEEN 1 AND 80
               AND instr(CAST(text AS BLOB), x'00') = 0
               AND text NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*')
    FROM keyword GROUP BY kind, row, field, text
)
SELECT kind, row, field, json_group_array(text ORDER BY position) AS list
FROM distinct_keyword GROUP BY kind, row, field HAVING min(is_valid);
CREATE UNIQUE INDEX temp.keyword_list_row ON keyword_list (kind, field, row);

UPDATE component SET tags = list FROM keyword_list
WHERE kind = 'component' AND field = 'tags' AND row = component.rowid;
UPDATE component SET technology = list FROM keyword_list
WHERE kind = 'component' AND field = 'technology' AND row = component.rowid;
UPDATE relationship SET technology = list FROM keyword_list
WHERE kind = 'relationship' AND field = 'technology' AND row = relationship.rowid;
DROP TABLE temp.keyword_list;
