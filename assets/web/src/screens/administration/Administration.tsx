export default function Administration() {
  return <p>Administration</p>;
}
