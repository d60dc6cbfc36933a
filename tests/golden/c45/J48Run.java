import java.io.FileReader;
import java.io.BufferedReader;
import weka.classifiers.trees.J48;
import weka.core.Instances;
import weka.core.Utils;

/** Reads jobs (training file, test file or "-", options; parted by tabs) and prints what J48 makes of each. */
public class J48Run {
    public static void main(String[] arguments) throws Exception {
        BufferedReader jobs = new BufferedReader(new FileReader(arguments[0]));
        for (String line = jobs.readLine(); line != null; line = jobs.readLine()) {
            String[] job = line.split("\t", -1);
            Instances train = read(job[0]);
            J48 tree = new J48();
            tree.setOptions(Utils.splitOptions(job[2]));
            tree.buildClassifier(train);
            System.out.println("@leaves " + (int) tree.measureNumLeaves());
            System.out.println("@size " + (int) tree.measureTreeSize());
            System.out.println("@predictions " + (job[1].equals("-") ? "" : predictions(tree, read(job[1]))));
            System.out.println("@probabilities " + (job[1].equals("-") ? "" : sureness(tree, read(job[1]))));
            System.out.println("@tree");
            System.out.println(tree.toString());
            System.out.println("@end");
        }
    }

    static Instances read(String path) throws Exception {
        Instances found = new Instances(new BufferedReader(new FileReader(path)));
        found.setClassIndex(found.numAttributes() - 1);
        return found;
    }

    static String predictions(J48 tree, Instances test) throws Exception {
        StringBuilder found = new StringBuilder();
        for (int row = 0; row < test.numInstances(); row++) {
            found.append((char) ('A' + (int) tree.classifyInstance(test.instance(row))));
        }
        return found.toString();
    }

    /** The sum over rows of (row + 1) times the probability of the last class: one number for all probabilities. */
    static String sureness(J48 tree, Instances test) throws Exception {
        double sum = 0;
        for (int row = 0; row < test.numInstances(); row++) {
            double[] shares = tree.distributionForInstance(test.instance(row));
            sum += (row + 1) * shares[shares.length - 1];
        }
        return Double.toString(sum);
    }
}
