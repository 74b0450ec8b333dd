-- What is erased leaves the disk soon: left to itself, the thread that drops replaced parts of a quiet table sleeps for up to five minutes.
ALTER TABLE latest_looks MODIFY SETTING max_cleanup_delay_period = 10
