-- Who may read a page is asked when something is sent to its subscribers: a page knows since when its readers are these,
-- a subscriber as of which of these moments it was let in
alter table status_pages add column access_changed_at timestamptz not null default clock_timestamp();
alter table status_page_subscribers add column admitted_as_of timestamptz not null default clock_timestamp();
update status_pages set access_changed_at = coalesce(password_changed_at, created_at);
update status_page_subscribers s set admitted_as_of = greatest(s.created_at, s.confirmed_at);
