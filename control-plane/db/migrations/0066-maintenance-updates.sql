-- updates of a page that are of a window and not of a post: what subscribers are sent of planned work
alter table status_page_updates
  alter column post_id drop not null,
  add column page_id uuid,
  add column window_id uuid references maintenance_windows on delete set null,
  add column title varchar(255),
  -- those that the work concerns; none: the page as a whole
  add column component_ids uuid[] not null default '{}',
  add column starts_at timestamptz,
  add column ends_at timestamptz,
  add foreign key (tenant_id, page_id) references status_pages (tenant_id, id) on delete cascade,
  add check (post_id is not null or page_id is not null),
  drop constraint status_page_updates_phase_check,
  add constraint status_page_updates_phase_check check (phase in (
    'investigating', 'identified', 'monitoring', 'resolved', 'scheduled', 'in_progress', 'completed'));
create index status_page_updates_of_page on status_page_updates (page_id) where page_id is not null;
create index status_page_updates_of_window on status_page_updates (window_id) where window_id is not null;
