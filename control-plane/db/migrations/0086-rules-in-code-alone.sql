-- the version before writes all of these itself, beside these triggers
drop trigger incidents_escalation on incidents;
drop function follow_incident();
drop trigger managed_teams_trial_times on managed_teams;
drop function set_trial_times();
drop trigger tenants_keep_suspended on tenants;
drop function keep_suspension();
drop trigger memberships_service on memberships;
drop function mark_service_user();
