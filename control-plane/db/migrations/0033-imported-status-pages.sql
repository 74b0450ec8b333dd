-- the status page that an item of a migration became; it may have been deleted since
alter table migration_items add column status_page_id uuid;
