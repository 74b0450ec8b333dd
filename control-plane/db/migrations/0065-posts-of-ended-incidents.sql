-- incident_over_at: since when the incident of a post that is open is over. follows: the state of a component is that
-- of its monitors again, whatever the post said before
alter table status_page_posts add column incident_over_at timestamptz;
alter table status_page_post_components add column follows boolean not null default false;
create index status_page_posts_to_follow on status_page_posts (incident_id)
  where phase <> 'resolved' and incident_id is not null and incident_over_at is null;
