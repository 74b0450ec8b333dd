-- Of which database and which timeline of PostgreSQL a mark is, and when it was made by its clock: a standby that took
-- over has lost the last marks as well, and is no restored backup.
ALTER TABLE restore_marks ADD COLUMN IF NOT EXISTS database String, ADD COLUMN IF NOT EXISTS timeline UInt32, ADD COLUMN IF NOT EXISTS left_at DateTime64(3, 'UTC')
