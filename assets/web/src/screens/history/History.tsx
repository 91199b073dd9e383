export default function History() {
  return <p>History</p>;
}
