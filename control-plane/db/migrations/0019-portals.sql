-- a custom domain leads to a status page, or to the portal of its team or reseller
alter table custom_domains drop constraint custom_domains_purpose_check,
  add constraint custom_domains_purpose_check check (purpose in ('status_page', 'portal')),
  add constraint custom_domains_target_check check (purpose = 'status_page' or target_id is null);
create index custom_domains_of_portal on custom_domains (tenant_id, created_at) where purpose = 'portal';
