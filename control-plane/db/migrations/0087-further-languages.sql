-- Which languages there are, folders of texts say.
alter table status_pages
  drop constraint status_pages_locale_check,
  add constraint status_pages_locale_check check (locale ~ '^[a-z]{2}$');
alter table status_page_subscribers
  drop constraint status_page_subscribers_locale_check,
  add constraint status_page_subscribers_locale_check check (locale ~ '^[a-z]{2}$');
