-- How long a result is stored: as long as the plan of its team keeps data on the day it comes, 90 days at most.
ALTER TABLE check_results ADD COLUMN IF NOT EXISTS keep_days UInt16 DEFAULT 90 CODEC(ZSTD(1))
