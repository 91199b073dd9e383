export default function OrganizationSettings() {
  return <p>OrganizationSettings</p>;
}
